import { useEffect, useState } from 'react'

/**
 * Keeps the last value for `ms` milliseconds after `value` becomes null, so that a quick change shows no gap. `isLate`
 * is true if the next value takes longer.
 */
export function useDelayedEmpty<T>(
  value: T | null,
  ms: number,
): { value: T | null; isLate: boolean } {
  const [last, setLast] = useState(value)
  const [isLate, setLate] = useState(false)
  if (value !== null && value !== last) setLast(value)
  if (value !== null && isLate) setLate(false)
  useEffect(() => {
    if (value !== null) return
    const timer = setTimeout(() => setLate(true), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return { value: value ?? (isLate ? null : last), isLate }
}
