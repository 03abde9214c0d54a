import { sessionCases } from '#attacks/cases/sessions.ts'
import { attack } from './attack.ts'

attack(sessionCases)
