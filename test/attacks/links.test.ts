import { linkCases } from '#cli/attack/cases/links.ts'
import { attack } from './attack.ts'

attack(linkCases)
