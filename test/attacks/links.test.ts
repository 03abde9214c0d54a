import { linkCases } from '#attacks/cases/links.ts'
import { attack } from './attack.ts'

attack(linkCases)
