/** What AWS charges per month in the stages as they are shipped, with all alarms in production. */
export const shippedCharges = {
  staging: { logMetrics: 20, alarmMetrics: 22, dashboards: 1, webAcls: 1, rules: 5 },
  production: { logMetrics: 20, alarmMetrics: 76, dashboards: 1, webAcls: 1, rules: 5 },
} as const;
