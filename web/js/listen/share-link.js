/** Address of this page that opens a packed recording with a direction in front. */
export function shareLink(recording, yaw) {
  const link = new URL(location.href);
  link.searchParams.set('recording', recording);
  link.searchParams.set('yaw', Math.round(yaw));
  return link.href;
}
