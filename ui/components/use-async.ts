import { useEffect, useState } from 'react'

export type AsyncState<T> =
  | { status: 'loading' }
  | { status: 'here'; value: T }
  | { status: 'failed'; error: unknown }

/** The result of `ask` for `subject`. A new subject aborts the previous request. Undefined requests nothing. */
export function useAsync<T>(
  subject: string | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): AsyncState<T> {
  const [answer, setState] = useState<{ subject: string | undefined; is: AsyncState<T> }>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the subject identifies the request
  useEffect(() => {
    if (subject === undefined) return
    const asking = new AbortController()
    const { signal } = asking
    const update = (is: AsyncState<T>) => !signal.aborted && setState({ subject, is })
    ask(signal).then(
      (value) => update({ status: 'here', value }),
      (error) => update({ status: 'failed', error }),
    )
    return () => asking.abort()
  }, [subject])

  return answer && answer.subject === subject ? answer.is : { status: 'loading' }
}
