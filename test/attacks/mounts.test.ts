import { describe } from 'bun:test'
import { mountCases } from '#cli/attack/cases/mounts.ts'
import { noMounts } from '../support/mounts.ts'
import { attack } from './attack.ts'

describe.skipIf(noMounts !== undefined)('another file system', () => {
  attack(mountCases, { mount: true })
})
