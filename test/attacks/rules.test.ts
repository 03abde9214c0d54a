import { expressionCases } from '#attacks/cases/expressions.ts'
import { ruleCases } from '#attacks/cases/rules.ts'
import { attack } from './attack.ts'

attack([...ruleCases, ...expressionCases])
