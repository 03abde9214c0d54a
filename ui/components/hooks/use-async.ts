import { useEffect, useState } from 'react'

export type AsyncState<T> =
  | { status: 'loading' }
  | { status: 'loaded'; value: T }
  | { status: 'failed'; error: unknown }

/** The result of `load` for `key`. A new key aborts the previous request. An undefined key requests nothing. */
export function useAsync<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): AsyncState<T> {
  const [result, setState] = useState<{ key: string | undefined; state: AsyncState<T> }>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the request
  useEffect(() => {
    if (key === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    const update = (state: AsyncState<T>) => !signal.aborted && setState({ key, state })
    load(signal).then(
      (value) => update({ status: 'loaded', value }),
      (error) => update({ status: 'failed', error }),
    )
    return () => controller.abort()
  }, [key])

  return result && result.key === key ? result.state : { status: 'loading' }
}
