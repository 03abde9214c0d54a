import { useEffect, useState } from 'react'

/** @returns the seconds until the countdown ends, rounded up; the countdown begins when `seconds` changes */
export function useCountdown(seconds: number): number {
  const [endMs, setEndMs] = useState(0)
  const [nowMs, setNowMs] = useState(0)
  useEffect(() => {
    if (seconds <= 0) return setEndMs(0)
    const startMs = Date.now()
    setNowMs(startMs)
    setEndMs(startMs + seconds * 1000)
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return Math.max(0, Math.ceil((endMs - nowMs) / 1000))
}
