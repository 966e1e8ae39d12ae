/** One of the three forms of a date in HTTP, two of which are obsolete: RFC 9110 §5.6.7. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun).{15,30}$/;

/**
 * Returns the seconds that a `Retry-After` header asks to wait, as a number or a date (RFC 9110 §10.2.3). One that
 * asks for no wait counts as none.
 */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('Retry-After') ?? '';
  if (/^\d{1,15}$/.test(value)) return Number(value) || undefined;
  // The form without a time zone is in UTC as well.
  const at = httpDate.test(value) ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) : Number.NaN;
  const seconds = Math.ceil((at - Date.now()) / 1000);
  return seconds > 0 ? seconds : undefined;
}
