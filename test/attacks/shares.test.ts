import { shareCases } from '#cli/attack/cases/shares.ts'
import { attack } from './attack.ts'

attack(shareCases)
