import { hangUpCases } from '#cli/attack/cases/hang-ups.ts'
import { attack } from './attack.ts'

attack(hangUpCases)
