/** The latest notices. */
export default { topic: 'engine', needs: [], make: (page, nodes, { notices }) => notices.log };
