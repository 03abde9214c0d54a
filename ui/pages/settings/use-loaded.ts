import { useCallback, useEffect, useState } from 'react'
import { toFault } from '#ui/lib/to-fault.ts'
import { type Fault, isFault } from '#wire/fault.ts'

/**
 * The result of `load`, or the error. During a reload the previous result stays.
 *
 * @param load must be the same function until other data is needed
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
      setFault(toFault(error))
    }
  }, [load])

  useEffect(() => {
    void reload()
  }, [reload])

  return { value, fault, reload, setValue }
}
