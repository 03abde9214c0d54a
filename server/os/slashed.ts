/**
 * Windows separates the names of a path by `\`, which its names cannot contain.
 *
 * @returns the path with `/` between the names, as the storage compares paths
 */
export function slashed(path: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? path.replaceAll('\\', '/') : path
}
