import { useEffect, useState } from 'react'

/** The whole seconds left of `seconds`, counted from the time they were passed. */
export function useCountdown(seconds: number): number {
  const [endMs, setEndMs] = useState(0)
  const [nowMs, setNowMs] = useState(0)
  useEffect(() => {
    if (seconds <= 0) return setEndMs(0)
    const now = Date.now()
    setNowMs(now)
    setEndMs(now + seconds * 1000)
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return Math.max(0, Math.ceil((endMs - nowMs) / 1000))
}
