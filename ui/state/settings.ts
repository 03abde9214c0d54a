/** The public settings of this instance. */
import { proxy } from 'valtio'
import { pageSettings } from '#ui/lib/page.ts'

export const settings = proxy(pageSettings())
