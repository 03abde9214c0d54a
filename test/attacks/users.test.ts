import { userCases } from '#cli/attack/cases/users.ts'
import { attack } from './attack.ts'

attack(userCases)
