import { useCallback, useEffect, useRef, useState } from 'react'
import { toFault } from '#ui/lib/to-fault.ts'
import { type Fault, isFault } from '#wire/fault.ts'

/**
 * The result of the last call of `load`, or its error. During a reload the previous result stays.
 *
 * @param load must be the same function until other data is needed
 */
export function useLoaded<T>(load: () => Promise<T>) {
  const [value, setValue] = useState<T>()
  const [fault, setFault] = useState<Fault>()
  /** Counts the calls and the values set by the page: a call that is not the last one changes nothing. */
  const last = useRef(0)

  const reload = useCallback(async () => {
    last.current += 1
    const call = last.current
    try {
      const loaded = await load()
      if (call !== last.current) return
      setValue(loaded)
      setFault(undefined)
    } catch (error) {
      if (call === last.current && !isFault(error, 'aborted')) setFault(toFault(error))
    }
  }, [load])

  const replaceValue = useCallback((newValue: T) => {
    last.current += 1
    setValue(newValue)
  }, [])

  useEffect(() => {
    void reload()
  }, [reload])

  return { value, fault, reload, setValue: replaceValue }
}
