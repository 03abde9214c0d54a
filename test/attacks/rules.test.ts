import { expressionCases } from '#cli/attack/cases/expressions.ts'
import { ruleCases } from '#cli/attack/cases/rules.ts'
import { attack } from './attack.ts'

attack([...ruleCases, ...expressionCases])
