import { permissionCases } from '#attacks/cases/permissions.ts'
import { attack } from './attack.ts'

attack(permissionCases)
