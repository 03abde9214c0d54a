/** Reads a line without echo. */
import { Fault } from '#wire/fault.ts'

const [ENTER, NEW_LINE, CTRL_C, CTRL_D, CTRL_U, BACKSPACE, DELETE] = [
  '\r',
  '\n',
  '\u0003',
  '\u0004',
  '\u0015',
  '\b',
  '\u007f',
]

/**
 * Asks a question on a terminal and reads the line without echo.
 *
 * @param input a terminal
 * @throws Fault aborted (the user presses Ctrl-C)
 */
export async function readHidden(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  question: string,
): Promise<string> {
  // Echo is switched off before the prompt, because earlier input would be shown.
  input.setRawMode(true)
  output.write(question)
  input.resume()
  input.setEncoding('utf8')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let typed: string[] = []
  const take = (text: string) => {
    for (const key of text) {
      if (key === ENTER || key === NEW_LINE || key === CTRL_D) resolve(typed.join(''))
      else if (key === CTRL_C) reject(new Fault('aborted', 'Nothing was changed.'))
      else if (key === CTRL_U) typed = []
      else if (key === BACKSPACE || key === DELETE) typed.pop()
      else typed.push(key)
    }
  }
  input.on('data', take)
  try {
    return await promise
  } finally {
    input.off('data', take)
    input.setRawMode(false)
    input.pause()
    output.write('\n')
  }
}
