/** Arguments that name rows of a list by their numbers. */
import { Fault } from '#wire/fault.ts'

/**
 * @param list the command that lists the rows with their numbers: `journal ls`
 * @throws Fault badRequest if it is not a number
 */
export function parseNumber(text: string, list: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new Fault('badRequest', `"${text}" is not a number. \`filemgr ${list}\` lists the numbers.`)
}
