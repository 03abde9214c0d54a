/** A large sparse file: archiving it takes until the test truncates it, on every machine. */
import { truncateSync, writeFileSync } from 'node:fs'

/** Bytes: hours of compression, but no disk space. */
const ENDLESS = 2 ** 40

/** @param file the path to write; `truncateSync` ends the work on it */
export function writeEndless(file: string): void {
  writeFileSync(file, '')
  truncateSync(file, ENDLESS)
}
