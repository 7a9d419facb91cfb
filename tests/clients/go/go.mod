module hearth.invalid/clients

go 1.24

require github.com/go-git/go-git/v5 v5.19.3
