import { describe } from 'bun:test'
import { mountCases } from '#attacks/cases/mounts.ts'
import { noMounts } from '../support/mounts.ts'
import { attack } from './attack.ts'

describe.skipIf(noMounts !== undefined)('another file system', () => {
  attack(mountCases, { mount: true })
})
