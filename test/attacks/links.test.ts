import { linkRuleCases } from '#attacks/cases/link-rules.ts'
import { linkCases } from '#attacks/cases/links.ts'
import { attack } from './attack.ts'

attack([...linkCases, ...linkRuleCases])
