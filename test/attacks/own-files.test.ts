import { ownFileCases } from '#cli/attack/cases/own-files.ts'
import { attack } from './attack.ts'

attack(ownFileCases, { inside: true })
