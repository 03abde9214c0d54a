/** A function that runs once `waitMs` have passed without another call, with the last arguments. */
export function debounce<Args extends unknown[]>(run: (...args: Args) => void, waitMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (...args: Args): void => {
    clearTimeout(timer)
    timer = setTimeout(() => run(...args), waitMs)
  }
}
