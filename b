{
  "slots" : [
    {
      "effect" : "limiter",
      "slot" : 1
    }
  ],
  "version" : 1
}