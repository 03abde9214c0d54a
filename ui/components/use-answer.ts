import { useEffect, useState } from 'react'

export type Answer<T> =
  | { status: 'loading' }
  | { status: 'here'; value: T }
  | { status: 'failed'; error: unknown }

/**
 * What `ask` answers about `subject`. Another subject asks anew, and what was asked before is given
 * up. Undefined asks nothing.
 */
export function useAnswer<T>(
  subject: string | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): Answer<T> {
  const [answer, setAnswer] = useState<{ about: string | undefined; is: Answer<T> }>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the subject says what is asked
  useEffect(() => {
    if (subject === undefined) return
    const asking = new AbortController()
    const { signal } = asking
    const tell = (is: Answer<T>) => !signal.aborted && setAnswer({ about: subject, is })
    ask(signal).then(
      (value) => tell({ status: 'here', value }),
      (error) => tell({ status: 'failed', error }),
    )
    return () => asking.abort()
  }, [subject])

  return answer && answer.about === subject ? answer.is : { status: 'loading' }
}
