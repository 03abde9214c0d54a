/** The browser's own dialogs for choosing files and folders. */
import { type FilePick, filesOfInput } from '#ui/lib/drag-files.ts'

/** Files, any number. Resolves to none when the person cancels. Needs a recent click or key. */
export function pickFiles(): Promise<FilePick[]> {
  const input = fileInput()
  input.multiple = true
  return chosen(input)
}

/** One folder with all within. Browsers leave out empty folders here; dropping keeps them. */
export function pickFolder(): Promise<FilePick[]> {
  const input = fileInput()
  input.webkitdirectory = true
  return chosen(input)
}

/** One picture of the camera, where the device has one. */
export function takePhoto(): Promise<FilePick[]> {
  const input = fileInput()
  input.accept = 'image/*'
  input.setAttribute('capture', 'environment')
  return chosen(input)
}

function fileInput(): HTMLInputElement {
  const input = document.createElement('input')
  input.type = 'file'
  return input
}

function chosen(input: HTMLInputElement): Promise<FilePick[]> {
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(filesOfInput(input.files ?? [])))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}
