import { trashCases } from '#attacks/cases/trash.ts'
import { attack } from './attack.ts'

attack(trashCases)
