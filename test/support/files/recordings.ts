/** Audio files. */

/** A tone of this duration as a WAV file: 8000 samples per second, one byte each. */
export function waveOf(seconds: number): Uint8Array {
  const rate = 8000
  const samples = rate * seconds
  const wave = Buffer.alloc(44 + samples)
  wave.write('RIFF')
  wave.writeUInt32LE(36 + samples, 4)
  wave.write('WAVEfmt ', 8)
  wave.writeUInt32LE(16, 16)
  wave.writeUInt16LE(1, 20)
  wave.writeUInt16LE(1, 22)
  wave.writeUInt32LE(rate, 24)
  wave.writeUInt32LE(rate, 28)
  wave.writeUInt16LE(1, 32)
  wave.writeUInt16LE(8, 34)
  wave.write('data', 36)
  wave.writeUInt32LE(samples, 40)
  for (let at = 0; at < samples; at += 1) wave[44 + at] = 128 + 40 * Math.sin(at / 5)
  return wave
}
