/** The browser's dialogs for choosing files and folders. */
import { type FilePick, filesOfInput } from '#ui/lib/drag-files.ts'

/**
 * Chooses any number of files. Resolves to an empty list if the user cancels. Requires a recent click or key press.
 */
export function pickFiles(): Promise<FilePick[]> {
  const input = fileInput()
  input.multiple = true
  return chooseFiles(input)
}

/** Chooses one folder with its content. Browsers omit empty folders here; drag and drop includes them. */
export function pickFolder(): Promise<FilePick[]> {
  const input = fileInput()
  input.webkitdirectory = true
  return chooseFiles(input)
}

/** Takes one photo with the camera, if the device has one. */
export function takePhoto(): Promise<FilePick[]> {
  const input = fileInput()
  input.accept = 'image/*'
  input.setAttribute('capture', 'environment')
  return chooseFiles(input)
}

function fileInput(): HTMLInputElement {
  const input = document.createElement('input')
  input.type = 'file'
  return input
}

function chooseFiles(input: HTMLInputElement): Promise<FilePick[]> {
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(filesOfInput(input.files ?? [])))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}
