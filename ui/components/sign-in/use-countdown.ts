import { useEffect, useState } from 'react'

/** @returns the seconds until the countdown ends, rounded up; the countdown begins when `seconds` changes */
export function useCountdown(seconds: number): number {
  const [countdown, setCountdown] = useState({ seconds: 0, passed: 0 })
  useEffect(() => {
    setCountdown({ seconds, passed: 0 })
    if (seconds <= 0) return
    const startMs = Date.now()
    const timer = setInterval(() => {
      const passed = Math.min(seconds, (Date.now() - startMs) / 1000)
      setCountdown({ seconds, passed })
      if (passed === seconds) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [seconds])
  // The effect runs after the first rendering with another number.
  const passed = countdown.seconds === seconds ? countdown.passed : 0
  return Math.max(0, Math.ceil(seconds - passed))
}
