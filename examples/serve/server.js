// A server for `wynot reduce --serve`: whether JavaScript's JSON can read a file.
//
// wynot reduce --serve 'node server.js {}' config.json
const fs = require('fs')
const readline = require('readline')

const path = process.argv[2]
console.log('ready')
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [id] = line.split(' ')
  let status = 0
  try {
    JSON.parse(fs.readFileSync(path, 'utf8'))
  } catch (error) {
    console.error(error.stack) // what is printed is output of the candidate
    status = 1
  }
  console.log(`${id} ${status}`)
})
