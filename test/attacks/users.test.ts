import { userCases } from '#attacks/cases/users.ts'
import { attack } from './attack.ts'

attack(userCases)
