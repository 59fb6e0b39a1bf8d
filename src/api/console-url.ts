/** The console's URL for the base URL of the public interface. Only Rowhouse servers have a console. */
export const consoleUrlOf = (baseUrl: string): string =>
  `${baseUrl.replace(/\/+$/, '').replace(/(?:\/api)?\/public\/v1$/, '')}/console/v1`
