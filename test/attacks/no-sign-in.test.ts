import { noSignInCases } from '#attacks/cases/no-sign-in.ts'
import { attack } from './attack.ts'

attack(noSignInCases, { noSignIn: true })
