import { invitationCases } from '#attacks/cases/invitations.ts'
import { attack } from './attack.ts'

attack(invitationCases)
