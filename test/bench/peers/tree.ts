/** The folder that all servers of a bench serve. */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { FILE_BYTES, FILES, LARGE_BYTES, MANY, nameOfFile } from './operations.ts'
import { TREE } from './peer.ts'

const BLOCK_BYTES = 4 * 2 ** 20

/** 10 000 files of 10 KiB, 100 000 empty ones, and one of 1 GiB. */
export function fill(folder: string): void {
  const bytes = crypto.getRandomValues(new Uint8Array(FILE_BYTES))
  mkdirSync(join(folder, TREE.files))
  for (let at = 0; at < FILES; at += 1)
    writeFileSync(join(folder, TREE.files, nameOfFile(at)), bytes)
  mkdirSync(join(folder, TREE.many))
  for (let at = 0; at < MANY; at += 1) {
    closeSync(openSync(join(folder, TREE.many, nameOfFile(at)), 'w'))
  }
  const block = new Uint8Array(BLOCK_BYTES).fill(1)
  const large = openSync(join(folder, TREE.large), 'w')
  for (let written = 0; written < LARGE_BYTES; written += block.length) writeSync(large, block)
  closeSync(large)
}
