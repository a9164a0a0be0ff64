// The counterpart of file-operands.ts for programs that transfer data: operands are addresses, and options name the files. Source: the
// manual pages.
import { type FileEntry, from } from "./file-entry.ts";

export const transferEntries: Record<string, FileEntry> = {
  curl: from(
    "-o: -K: -T: -b: -c: -E: -D: -H: -d: -F: -X: -u: -A: -e: -x: -m: --output= --config= --upload-file= --cookie= --cookie-jar= --cert= --key= --cacert= --dump-header= --header= --data= --data-binary= --data-raw= --data-urlencode= --form= --request= --user= --netrc-file= --trace= --trace-ascii= --stderr= --unix-socket= -w: --write-out= -C: -r: -U: -Q: -y: -Y: -z: -t: -P: -s -S -f -i -I -v -k -g -L -G -j -n -N -q -Z -4 -6 -0 -1 -2 -3 -# --max-time= --connect-timeout= --retry= --retry-delay= --retry-max-time= --max-redirs= --range= --limit-rate= --json= --data-ascii= --form-string= --user-agent= --referer= --proxy= --noproxy= --resolve= --interface= --oauth2-bearer= --url-query= --url= --proto= --rate=",
    "x*",
    {
      values: {
        "-o": "w",
        "--output": "w",
        "-K": "r",
        "--config": "r",
        "-T": "r",
        "--upload-file": "r",
        "-c": "w",
        "--cookie-jar": "w",
        "-D": "w",
        "--dump-header": "w",
        "--cert": "r",
        "--key": "r",
        "--netrc-file": "r",
        "--trace": "w",
        "--trace-ascii": "w",
        "--stderr": "w",
      },
    },
  ),
  wget: from(
    "-O: -o: -a: -i: -P: --output-document= --output-file= --append-output= --input-file= --directory-prefix= --post-file= --body-file= --load-cookies= --save-cookies= --config=",
    "x*",
    {
      values: {
        "-O": "w",
        "-o": "w",
        "-a": "w",
        "-i": "r",
        "-P": "w",
        "--output-document": "w",
        "--output-file": "w",
        "--input-file": "r",
        "--directory-prefix": "w",
        "--post-file": "r",
        "--body-file": "r",
        "--load-cookies": "r",
        "--save-cookies": "w",
        "--config": "r",
      },
    },
  ),
};
