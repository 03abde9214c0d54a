/** Creates the files of the folder that all servers serve. */
import { closeSync, copyFileSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createPhoto } from '../photos.ts'
import {
  FILE_BYTES,
  FILES,
  LARGE_BYTES,
  MANY,
  nameOfFile,
  nameOfPhoto,
  PHOTOS,
} from './operations.ts'
import { TREE } from './peer.ts'

const BLOCK_BYTES = 4 * 2 ** 20

/** The others are copies. */
const DIFFERENT_PHOTOS = 4

/** Creates 10 000 files of 10 KiB, 100 000 empty files, one file of 1 GiB, and photos. */
export async function fillTree(folder: string): Promise<void> {
  const bytes = crypto.getRandomValues(new Uint8Array(FILE_BYTES))
  mkdirSync(join(folder, TREE.files))
  for (let index = 0; index < FILES; index += 1)
    writeFileSync(join(folder, TREE.files, nameOfFile(index)), bytes)
  mkdirSync(join(folder, TREE.many))
  for (let index = 0; index < MANY; index += 1) {
    closeSync(openSync(join(folder, TREE.many, nameOfFile(index)), 'w'))
  }
  const block = new Uint8Array(BLOCK_BYTES).fill(1)
  const large = openSync(join(folder, TREE.large), 'w')
  for (let written = 0; written < LARGE_BYTES; written += block.length) writeSync(large, block)
  closeSync(large)
  const photo = (index: number) => join(folder, TREE.photos, nameOfPhoto(index))
  mkdirSync(join(folder, TREE.photos))
  for (let index = 0; index < DIFFERENT_PHOTOS; index += 1) await createPhoto(photo(index))
  for (let index = DIFFERENT_PHOTOS; index < PHOTOS; index += 1)
    copyFileSync(photo(index % DIFFERENT_PHOTOS), photo(index))
}
