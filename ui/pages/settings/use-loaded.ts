import { useCallback, useEffect, useState } from 'react'
import { Fault, isFault } from '#wire/fault.ts'

/**
 * What `load` brings, or why it brought nothing. While it is loaded again, the last one stays.
 *
 * @param load the same function as long as the same is meant
 */
export function useLoaded<T>(load: () => Promise<T>) {
  const [value, setValue] = useState<T>()
  const [fault, setFault] = useState<Fault>()

  const reload = useCallback(async () => {
    try {
      setValue(await load())
      setFault(undefined)
    } catch (error) {
      if (isFault(error, 'aborted')) return
      setFault(error instanceof Fault ? error : new Fault('internal', '', { cause: error }))
    }
  }, [load])

  useEffect(() => {
    void reload()
  }, [reload])

  return { value, fault, reload, setValue }
}
