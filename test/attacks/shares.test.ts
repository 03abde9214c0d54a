import { shareCases } from '#attacks/cases/shares.ts'
import { attack } from './attack.ts'

attack(shareCases)
