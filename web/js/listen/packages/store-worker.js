/**
 * Writes files of the origin private file system in browsers where pages cannot: Safari before version 26. The page sends
 * `{ id, folders, file, bytes }` and is told `{ id, problem, name }`: the error's words and name, null when the file is
 * complete.
 */
self.onmessage = async ({ data: { id, folders, file, bytes } }) => {
  let [problem, name] = [null, null];
  try {
    let folder = await navigator.storage.getDirectory();
    for (const name of folders) folder = await folder.getDirectoryHandle(name, { create: true });
    const access = await (await folder.getFileHandle(file, { create: true })).createSyncAccessHandle();
    try {
      access.truncate(0);
      access.write(new Uint8Array(bytes), { at: 0 });
      access.flush();
    } finally {
      access.close();
    }
  } catch (error) {
    problem = error.message;
    ({ name } = error);
  }
  postMessage({ id, problem, name });
};
