/** Where a service's console is, for the base URL of its public interface: beside it. It has one if it's a Rowhouse server. */
export const consoleUrlOf = (baseUrl: string): string =>
  `${baseUrl.replace(/\/+$/, '').replace(/(?:\/api)?\/public\/v1$/, '')}/console/v1`
