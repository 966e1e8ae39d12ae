/**
 * Returns a time as API Gateway writes it, in the Common Log Format: `22/Nov/2026:02:38:13 +0000`.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
export function requestTime(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
