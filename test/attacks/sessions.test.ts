import { sessionCases } from '#cli/attack/cases/sessions.ts'
import { attack } from './attack.ts'

attack(sessionCases)
