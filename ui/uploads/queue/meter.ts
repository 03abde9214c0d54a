/** Upload speed and remaining time: pure functions over samples (docs/specification.md 9). */

import { UI_LIMITS } from '#ui/lib/limits.ts'
import { LIMITS } from '#wire/limits.ts'

export interface Sample {
  /** The time of the sample, from any fixed start. */
  atMs: number
  /** The bytes sent since the start. */
  bytes: number
}

export interface UploadMeter {
  /** The newest last: at most `LIMITS.speedSamples`, and the one before them as the baseline. */
  readonly samples: readonly Sample[]
  /** Smoothed; undefined until two samples exist. */
  readonly bytesPerSec: number | undefined
}

export const EMPTY_METER: UploadMeter = { samples: [], bytesPerSec: undefined }

/** @returns the meter with a sample of `bytes` at `atMs`; unchanged if the sampling interval has not passed */
export function measure(meter: UploadMeter, bytes: number, atMs: number): UploadMeter {
  const newest = meter.samples.at(-1)
  if (newest && atMs - newest.atMs < LIMITS.speedSampleMs) return meter
  const samples = [...meter.samples, { atMs, bytes }].slice(-(LIMITS.speedSamples + 1))
  const average = averageOf(samples)
  return { samples, bytesPerSec: smooth(meter.bytesPerSec, average) }
}

/** Whether nothing was sent for a while: the average of the speed falls only slowly then. */
export function isStalled({ samples }: UploadMeter): boolean {
  const newest = samples.at(-1)
  return samples.some(
    ({ atMs, bytes }) =>
      newest !== undefined &&
      newest.atMs - atMs >= UI_LIMITS.uploadStalledMs &&
      bytes >= newest.bytes,
  )
}

/** The seconds until `remainingBytes` are sent; undefined if the speed is unknown or zero. */
export function secondsLeft(meter: UploadMeter, remainingBytes: number): number | undefined {
  if (remainingBytes <= 0) return 0
  if (!meter.bytesPerSec) return undefined
  return remainingBytes / meter.bytesPerSec
}

/**
 * Bytes per second between the first and the last sample. Zero if the count has decreased, because an upload
 * restarted.
 */
function averageOf(samples: readonly Sample[]): number | undefined {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || last.atMs === first.atMs) return undefined
  return Math.max(0, ((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs))
}

function smooth(old: number | undefined, average: number | undefined): number | undefined {
  if (old === undefined || average === undefined) return average
  return UI_LIMITS.speedWeight * average + (1 - UI_LIMITS.speedWeight) * old
}
