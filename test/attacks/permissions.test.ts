import { permissionCases } from '#cli/attack/cases/permissions.ts'
import { attack } from './attack.ts'

attack(permissionCases)
