import { floodCases, WITH_SHORT_SILENCE } from '#cli/attack/cases/floods.ts'
import { attack } from './attack.ts'

attack(floodCases, { words: WITH_SHORT_SILENCE })
