import { hangUpCases } from '#attacks/cases/hang-ups.ts'
import { attack } from './attack.ts'

attack(hangUpCases)
