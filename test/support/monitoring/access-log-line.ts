/** Returns a function that formats a line of API Gateway's access log: a missing value is `-`, as on AWS. */
export const accessLogLine =
  (format: string) =>
  (values: Readonly<Record<string, string>>): string =>
    format.replaceAll(/\$context\.([A-Za-z.]+)/g, (_variable, name: string) => values[name] ?? '-');
