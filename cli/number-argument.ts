/** Arguments that name a row of a list by its number. */
import { Fault } from '#wire/fault.ts'

/**
 * @param list the command that lists the rows with their numbers: `journal ls`
 * @throws Fault badRequest if it is not a number
 */
export function parseNumber(text: string, list: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new Fault('badRequest', `"${text}" is not a number. \`filemgr ${list}\` lists the numbers.`)
}
